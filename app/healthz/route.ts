export { healthz as GET } from '@/server/api/health';
