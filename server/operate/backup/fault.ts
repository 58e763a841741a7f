/** Why a backup or a restore is refused, for the operator to read. */
export class BackupFault extends Error {}
