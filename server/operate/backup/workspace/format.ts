import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { BackupFault } from '../fault';
import { BACKUP_RECORDS, type BackupFileFormat } from '../records';

/** The beginning of an export. */
export const WORKSPACE_EXPORT_MAGIC = 'weft workspace 1\n';

/** Shortest passphrase of an export, in characters. */
const MIN_PASSPHRASE_LENGTH = 12;

/** Memory of one derivation is 1 KiB × cost. A file may not ask for more than the usual. */
const USUAL_SCRYPT_COST = 2 ** 17;
const SCRYPT_COSTS = [2 ** 12, 2 ** 14, USUAL_SCRYPT_COST] as const;
export type ScryptCost = (typeof SCRYPT_COSTS)[number];

/** The first record of an export. */
export const WorkspaceExportHeader = z.object({
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
    cost: z.union(SCRYPT_COSTS.map((cost) => z.literal(cost))),
    check: z.string(),
  }),
});
export type WorkspaceExportHeader = z.infer<typeof WorkspaceExportHeader>;

/** The keys of one file. */
export interface ExportFileKeys {
  /** Seals the secrets in the file, as a key of ENCRYPTION_KEY does in the database. */
  secrets: string;
  /** Seals the whole file. */
  whole: string;
}

const deriveScryptKey = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

async function deriveExportKeys(
  passphrase: string,
  salt: string,
  cost: ScryptCost,
): Promise<ExportFileKeys & { check: string }> {
  const options = { N: cost, r: 8, p: 1, maxmem: 2 * 1024 * cost };
  const secret = await deriveScryptKey(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64url'), 32, options);
  const keyFor = (purpose: string) => createHmac('sha256', secret).update(`weft workspace ${purpose}`).digest('hex');
  return { secrets: keyFor('secrets'), whole: keyFor('whole'), check: keyFor('check') };
}

/** Keys of a new file, and what its header says about them. Throws a BackupFault if the passphrase is too short. */
export async function createExportKeys(
  passphrase: string,
  cost: ScryptCost = USUAL_SCRYPT_COST,
): Promise<{ keys: ExportFileKeys; passphrase: WorkspaceExportHeader['passphrase'] }> {
  if (passphrase.length < MIN_PASSPHRASE_LENGTH)
    throw new BackupFault(`The passphrase needs ${MIN_PASSPHRASE_LENGTH} characters or more.`);
  const salt = randomBytes(16).toString('base64url');
  const { check, ...keys } = await deriveExportKeys(passphrase, salt, cost);
  return { keys, passphrase: { salt, cost, check } };
}

export interface ExportFormat extends BackupFileFormat<WorkspaceExportHeader> {
  /** The keys of a file whose header has been read. Throws a BackupFault if the passphrase is wrong. */
  fileKeys(header: WorkspaceExportHeader): Promise<ExportFileKeys>;
}

/** An export that is opened with this passphrase. */
export function workspaceExportFormat(passphrase: string): ExportFormat {
  // The file is read twice; the derivation is slow on purpose.
  const known = new Map<string, ReturnType<typeof deriveExportKeys>>();
  async function fileKeys({ passphrase: { salt, cost, check } }: WorkspaceExportHeader): Promise<ExportFileKeys> {
    const name = `${salt} ${cost}`;
    const derived = known.get(name) ?? deriveExportKeys(passphrase, salt, cost);
    known.set(name, derived);
    const { check: expected, ...keys } = await derived;
    const [given, right] = [Buffer.from(check), Buffer.from(expected)];
    if (given.length !== right.length || !timingSafeEqual(given, right))
      throw new BackupFault('The passphrase is wrong. Nothing was imported.');
    return keys;
  }
  return {
    magic: WORKSPACE_EXPORT_MAGIC,
    noun: 'export',
    consequence: 'Nothing was imported.',
    record: z.discriminatedUnion('kind', [WorkspaceExportHeader, ...BACKUP_RECORDS]),
    fileKeys,
    keysOf: async (header) => [(await fileKeys(header)).whole],
    unsealed: 'The export was altered: it is not what the passphrase sealed.',
  };
}
