/** A list of hosts: `git.example.com`, `.npmjs.org` for its subdomains too, `*` for all. Ports in it do not matter. */
export type HostList = string[];

export function parseHosts(text: string): HostList {
  return text
    .split(',')
    .map((entry) => entry.trim().toLowerCase().replace(/:\d+$/, ''))
    .filter(Boolean);
}

export function hasHost(list: HostList, host: string): boolean {
  return list.includes('*') || namesHost(list, host);
}

/** Without `*`: whether the operator has named this host. */
export function namesHost(list: HostList, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return list.some((entry) => {
    if (!entry.startsWith('.')) return entry === name;
    return name.endsWith(entry) || name === entry.slice(1);
  });
}
