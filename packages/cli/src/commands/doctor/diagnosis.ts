export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  message: string;
  advice?: string;
}
