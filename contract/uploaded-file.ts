import { z } from 'zod';
import { CreatedAt } from './shared-fields';

/** The answer to an upload: the value that names the file in inputs. */
export const UploadedFile = z
  .object({
    $file: z.string().meta({ description: 'Where its content is read: `/api/files/{id}`' }),
    name: z.string().describe('As it is offered when the file is downloaded'),
    contentType: z.string().describe('The media type'),
    size: z.number().int().meta({ description: 'In bytes' }),
    sha256: z.string().meta({ description: 'Of the content, in hexadecimal digits' }),
    createdAt: CreatedAt,
  })
  .meta({ id: 'UploadedFile', description: 'A stored file. In inputs and results of runs it is this value.' });
