import { z } from 'zod';
import { Timestamp } from './text';

/** The answer to an upload: the value that names the file in inputs. */
export const UploadedFile = z
  .object({
    $file: z.string().meta({ description: 'The id of the file' }),
    name: z.string(),
    contentType: z.string(),
    size: z.number().int().meta({ description: 'In bytes' }),
    sha256: z.string().meta({ description: 'Of the content, in hexadecimal digits' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'UploadedFile' });
