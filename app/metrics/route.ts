export { metrics as GET } from '@/server/metrics';
