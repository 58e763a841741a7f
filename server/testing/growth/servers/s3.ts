import { S3Storage } from '@/server/data/files/s3-storage';
import { listenOn } from '../../listen';
import { repeated, type HostileServer } from '../hostile-server';
import { BYTES_PER_MIB } from '@/contract/units';

const KEYS = { accessKeyId: 'a', secretAccessKey: 's' };

/** A file storage that is asked for a file. */
const s3 = (largest: number, status: number, content: (size: number) => string): HostileServer => ({
  largest,
  async start(size) {
    const made = content(size);
    const { url, close } = await listenOn((_, response) => void response.writeHead(status).end(made));
    const storage = new S3Storage(`s3://bucket/?endpoint=${encodeURIComponent(url)}`, KEYS);
    return { url, call: () => storage.read('a'), close };
  },
});

export const s3Servers: Record<string, HostileServer> = {
  's3: a refusal of many lines': s3(8 * BYTES_PER_MIB, 403, (size) => repeated('<a>\n', size)),
  's3: a file that is not there, with a text': s3(8 * BYTES_PER_MIB, 404, (size) => repeated('x', size)),
};
