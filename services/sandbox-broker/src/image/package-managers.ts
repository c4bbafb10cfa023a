// The package managers of the sandbox image, each in one fixed version whose content is known.
import type { PackageToUnpack } from './unpack-package.ts';

/** An engine elsewhere may have another processor than this machine. */
export type Architecture = 'x64' | 'arm64';

type FixedPackage = Required<Omit<PackageToUnpack, 'folder'>>;

/** The line that Node 24 ships with. */
const npm: FixedPackage = {
  spec: 'npm@11.21.1',
  integrity:
    'sha512-YTzL6QBEJXyHcTu0JiUc7RKMp+mzlJtl7rGLmERaXUQeFHIMc9atdr6G9M9C8vDWbv40epoTQAzNL2/PtZVDhQ==',
};

/** A program, since version 12, with a package for each processor; the one named `pnpm` would put it in place by script. */
const pnpm: Record<Architecture, FixedPackage> = {
  x64: {
    spec: '@pnpm/exe.linux-x64@12.18.0',
    integrity:
      'sha512-OJ+X2wcraldCwj75pCIerWARQSRpdfj0eBTs/2ODyhfeW46ylOnjTIE/GKra6Mn6E72/gBmXS8igrUioa+F9fQ==',
  },
  arm64: {
    spec: '@pnpm/exe.linux-arm64@12.18.0',
    integrity:
      'sha512-2dpyVBCHT+FfpuQh9i+7MXAqNWYLCvD5vYr5p6Eimxoga8USLnjbUgyj72AOrO0hjc5ri3TEFP3jiyBHjkSZpQ==',
  },
};

/** Version 1 for good: it hands over to the one that a project keeps in its `yarnPath`. */
const yarn: FixedPackage = {
  spec: 'yarn@1.22.22',
  integrity:
    'sha512-prL3kGtyG7o9Z9Sv8IPfBNrWTDmXB4Qbes8A9rEzt6wkJV8mUvoirjU0Mp3GGAU06Y0XQyA3/2/RQFVuK7MTfg==',
};

/** By the name of their folder in the image. */
export function packageManagersFor(architecture: Architecture): Record<string, FixedPackage> {
  return { npm, pnpm: pnpm[architecture], yarn };
}
