import { route } from '@/server/api/rest';

export const { GET, POST, PUT, DELETE, PATCH, OPTIONS } = route('/api/auth/preferences');
