/** What is known to take longer than it may: up to this size it takes no longer than this many milliseconds. To be repaired. */
export interface OpenFault {
  size: number;
  ms: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Inputs of members by their names. Schemas are checked at once, which takes long for thousands of wrong items; headers and empty
 * lines of imports are read at once; large bodies of webhooks are written into
 * the statement that stores their run.
 */
export const OPEN_FAULTS: Readonly<Partial<Record<string, OpenFault>>> = {
  'wrong items at definition.connections': { size: 64 * KIB, ms: 400 },
  'texts at definition.connections': { size: 64 * KIB, ms: 60 },
  'unknown fields in output': { size: 64 * KIB, ms: 80 },
  'unknown fields in node.config.query': { size: 64 * KIB, ms: 60 },
  'fields at tokenParameters': { size: 64 * KIB, ms: 70 },
  'fields at versions': { size: 64 * KIB, ms: 60 },
  'csv: a long header': { size: MIB, ms: 110 },
  'csv: one name many times': { size: MIB, ms: 150 },
  'csv: empty lines': { size: 64 * KIB, ms: 100 },
  'csv: carriage returns': { size: 64 * KIB, ms: 120 },
  'small numbers': { size: 10 * MIB, ms: 90 },
  text: { size: 10 * MIB, ms: 110 },
  quotes: { size: 10 * MIB, ms: 450 },
};
