import { nowhere } from '@/server/api/rest';

export const { GET, POST, PUT, DELETE, PATCH, OPTIONS } = nowhere();
