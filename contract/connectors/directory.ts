import { z } from 'zod';
import { PaginationQuery, pageSchema, boundedText } from '../text';
import { SERVICE_CATEGORIES, type ServiceCategory } from './service-categories';

const ServiceCategorySchema = z
  .enum(Object.keys(SERVICE_CATEGORIES) as [ServiceCategory, ...ServiceCategory[]])
  .meta({ id: 'ServiceCategory', description: 'What a service of the directory is for' });

/** A service whose OpenAPI document is known. */
export const DirectoryService = z
  .object({
    id: z.string().describe('Word by which the directory knows the service'),
    name: z.string().describe('What people call it'),
    category: ServiceCategorySchema,
    keywords: z.array(z.string()).meta({ description: 'Further words by which a search finds it' }),
    url: z.string().meta({ description: 'Address of its OpenAPI document' }),
    server: z
      .string()
      .nullable()
      .meta({ description: 'Base address of its API; null: the first server of the document' }),
    needsAppRegistration: z.boolean().meta({
      description:
        'True: its accounts are connected only by an app registration of your own at the service. False: this is not known',
    }),
    icon: z.string().meta({ description: 'Path of an SVG on this service' }),
    connectorId: z
      .string()
      .nullable()
      .meta({ description: 'The connector that the workspace has made from the document; null: none' }),
  })
  .meta({ id: 'DirectoryService', description: 'A service that can be added as a connector' });
export type DirectoryService = z.infer<typeof DirectoryService>;

export const ListDirectoryResponse = pageSchema(DirectoryService).meta({ id: 'DirectoryPage' });

export const ListDirectoryQuery = PaginationQuery.extend({
  search: boundedText(0, 100).optional().meta({ description: 'Words of the name, the keywords or the category' }),
  category: ServiceCategorySchema.optional().describe('Only services of this kind'),
});
