export { openApiYaml as GET } from '@/server/api/description';
