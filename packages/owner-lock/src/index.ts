export { findLivingOwner, type Owner, type OwnerLock, takeOwnership } from './owner-lock.ts';
export { isAlive, startTimeOf } from './process-identity.ts';
