export { serve as GET, serve as POST } from '@/server/http/web-services';
