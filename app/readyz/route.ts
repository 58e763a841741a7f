export { readyz as GET } from '@/server/api/health';
