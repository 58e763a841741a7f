import path from 'node:path';

/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  // The service must work under any name it is opened by; only production is opened by strangers.
  allowedDevOrigins: ['127.0.0.1', '*.local'],
  // Pages are loaded when they are first opened: a service that mostly runs workflows stays small and starts sooner.
  experimental: {
    preloadEntriesOnStart: false,
    // Writing the cache takes a quarter of a first build; each build that finds one takes half of its time or less.
    turbopackFileSystemCacheForBuild: process.env.IS_REBUILD === 'true',
  },
  turbopack: { root: path.resolve(import.meta.dirname) },
  // Loaded from node_modules at run time: native code, WebAssembly, workers, or files beside their own.
  serverExternalPackages: [
    '@node-rs/bcrypt',
    '@prisma/adapter-pg',
    '@prisma/client',
    'jsonata',
    'nodemailer',
    'pg',
    'pino',
    'prom-client',
    'quickjs-emscripten',
    'ssh2',
    'undici',
  ],
  // `npm run check` is where types are checked, tests and scripts included.
  typescript: { ignoreBuildErrors: true },
};
