const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB'];

/** A readable size: "812 bytes", "10.2 MiB". */
export function formatByteSize(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${BYTE_UNITS[step]}`;
}
