/** Errors while opening a database. Every message says what to do. */
export type DatabaseErrorCode =
  | 'in_use'
  | 'unreachable'
  | 'newer'
  | 'other_version'
  | 'migration_changed'
  | 'migration_failed';

export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseError';
    this.code = code;
  }
}
