export { findLivingOwner, type OwnerLock, takeOwnership } from './owner-lock.ts';
export { isAlive, startTimeOf } from './process-identity.ts';
