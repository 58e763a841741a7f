export { serve as GET } from '@/server/http/web-services';
