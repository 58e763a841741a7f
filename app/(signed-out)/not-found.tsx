export { PageNotFoundState as default } from '@/components/ui/states/PageNotFoundState';
