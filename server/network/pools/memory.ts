/** Waits until so many bytes of memory are available. */
export type ReserveMemory = (bytes: number) => Promise<void>;
