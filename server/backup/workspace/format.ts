import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { BackupFault } from '../fault';
import { PARTS, type Format } from '../records';

/** The beginning of an export. */
export const MAGIC = 'weft workspace 1\n';

/** Shortest passphrase of an export, in characters. */
const SHORTEST = 12;

/** Memory of one derivation is 1 KiB × cost. A file may not ask for more than the usual. */
const USUAL_COST = 2 ** 17;
const COSTS = [2 ** 12, 2 ** 14, USUAL_COST] as const;
export type Cost = (typeof COSTS)[number];

/** The first record. */
export const ExportHeader = z.object({
  kind: z.literal('header'),
  format: z.literal(1),
  version: z.string(),
  createdAt: z.string(),
  /** In the order in which they were applied. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  workspace: z.object({
    id: z.string().regex(/^ws_[\w-]{1,64}$/),
    slug: z.string(),
    name: z.string(),
    tier: z.string(),
  }),
  hasRuns: z.boolean(),
  /** How the keys follow from the passphrase: scrypt with r = 8, p = 1. `check` tells a wrong passphrase. */
  passphrase: z.object({
    salt: z.string().regex(/^[\w-]{22}$/),
    cost: z.union(COSTS.map((cost) => z.literal(cost))),
    check: z.string(),
  }),
});
export type ExportHeader = z.infer<typeof ExportHeader>;

/** The keys of one file. */
export interface FileKeys {
  /** Seals secrets, as a key of ENCRYPTION_KEY does. */
  secrets: string;
  /** Seals the whole. */
  whole: string;
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

async function keysFrom(passphrase: string, salt: string, cost: Cost): Promise<FileKeys & { check: string }> {
  const options = { N: cost, r: 8, p: 1, maxmem: 2 * 1024 * cost };
  const secret = await derive(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64url'), 32, options);
  const keyFor = (purpose: string) => createHmac('sha256', secret).update(`weft workspace ${purpose}`).digest('hex');
  return { secrets: keyFor('secrets'), whole: keyFor('whole'), check: keyFor('check') };
}

/** Keys of a new file, and what its header says about them. Throws a BackupFault if the passphrase is too short. */
export async function newKeys(
  passphrase: string,
  cost: Cost = USUAL_COST,
): Promise<{ keys: FileKeys; passphrase: ExportHeader['passphrase'] }> {
  if (passphrase.length < SHORTEST) throw new BackupFault(`The passphrase needs ${SHORTEST} characters or more.`);
  const salt = randomBytes(16).toString('base64url');
  const { check, ...keys } = await keysFrom(passphrase, salt, cost);
  return { keys, passphrase: { salt, cost, check } };
}

export interface ExportFormat extends Format<ExportHeader> {
  /** The keys of a file whose header has been read. Throws a BackupFault if the passphrase is wrong. */
  fileKeys(header: ExportHeader): Promise<FileKeys>;
}

/** An export that is opened with this passphrase. */
export function exportFormat(passphrase: string): ExportFormat {
  // The file is read twice; the derivation is slow on purpose.
  const known = new Map<string, ReturnType<typeof keysFrom>>();
  async function fileKeys({ passphrase: { salt, cost, check } }: ExportHeader): Promise<FileKeys> {
    const name = `${salt} ${cost}`;
    const derived = known.get(name) ?? keysFrom(passphrase, salt, cost);
    known.set(name, derived);
    const { check: expected, ...keys } = await derived;
    const [given, right] = [Buffer.from(check), Buffer.from(expected)];
    if (given.length !== right.length || !timingSafeEqual(given, right))
      throw new BackupFault('The passphrase is wrong. Nothing was imported.');
    return keys;
  }
  return {
    magic: MAGIC,
    noun: 'export',
    consequence: 'Nothing was imported.',
    record: z.discriminatedUnion('kind', [ExportHeader, ...PARTS]),
    fileKeys,
    keysOf: async (header) => [(await fileKeys(header)).whole],
    unsealed: 'The export was altered: it is not what the passphrase sealed.',
  };
}
