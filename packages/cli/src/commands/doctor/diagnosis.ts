/** One line of `fettle doctor`. The field names are part of the --json output. */
export interface Diagnosis {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  message: string;
  advice?: string;
}
