import path from 'node:path';
import { defineConfig } from 'prisma/config';

// Prisma would download its native schema engine at the first command; ours speaks the same protocol offline.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= path.resolve(import.meta.dirname, 'prisma/offline-engine.mjs');

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
});
