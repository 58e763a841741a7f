declare module 'bcrypt-pbkdf' {
  /** Fills `key`. Not 0: the arguments are not permitted. */
  export function pbkdf(
    passphrase: Uint8Array,
    passphraseLength: number,
    salt: Uint8Array,
    saltLength: number,
    key: Uint8Array,
    keyLength: number,
    rounds: number,
  ): number;
}
