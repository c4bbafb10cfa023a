/** The profile in the JSON format of the Docker engine, passed inline with each container. */
import type { SeccompProfile } from './profile.ts';

interface DockerRule {
  names: string[];
  action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO';
  errnoRet?: number;
  args?: { index: number; value: number; valueTwo: number; op: 'SCMP_CMP_MASKED_EQ' }[];
}

export interface DockerSeccompProfile {
  defaultAction: 'SCMP_ACT_ERRNO';
  defaultErrnoRet: number;
  archMap: { architecture: string; subArchitectures: string[] }[];
  syscalls: DockerRule[];
}

export function toDockerProfile(profile: SeccompProfile): DockerSeccompProfile {
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: profile.refusalErrno,
    // Without the 32-bit calls of the same architecture, which have other numbers and arguments.
    archMap: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'].map((architecture) => ({
      architecture,
      subArchitectures: [],
    })),
    syscalls: [
      ...profile.allow.map(({ names }): DockerRule => ({ names, action: 'SCMP_ACT_ALLOW' })),
      ...profile.conditional.map(
        ({ name, tests }): DockerRule => ({
          names: [name],
          action: 'SCMP_ACT_ALLOW',
          args: tests.map(({ index, mask, value }) => ({
            index,
            value: mask,
            valueTwo: value,
            op: 'SCMP_CMP_MASKED_EQ',
          })),
        }),
      ),
      ...profile.refuse.map(
        ({ names, errno }): DockerRule => ({ names, action: 'SCMP_ACT_ERRNO', errnoRet: errno }),
      ),
    ],
  };
}
