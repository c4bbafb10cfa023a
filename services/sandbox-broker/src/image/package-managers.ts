/** The package managers of the sandbox image, pinned by version and integrity. */
import type { PackageToUnpack } from './unpack-package.ts';

/** A remote engine may have another architecture than this machine. */
export type Architecture = 'x64' | 'arm64';

type FixedPackage = Required<Pick<PackageToUnpack, 'spec' | 'integrity'>>;

/** The major version that Node 24 ships with. */
const npm: FixedPackage = {
  spec: 'npm@11.21.1',
  integrity:
    'sha512-YTzL6QBEJXyHcTu0JiUc7RKMp+mzlJtl7rGLmERaXUQeFHIMc9atdr6G9M9C8vDWbv40epoTQAzNL2/PtZVDhQ==',
};

/** Since version 12 a native program with one package per architecture. The package `pnpm` would need an install script. */
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

/** Always version 1: it delegates to the version that a project has in its `yarnPath`. */
const yarn: FixedPackage = {
  spec: 'yarn@1.22.22',
  integrity:
    'sha512-prL3kGtyG7o9Z9Sv8IPfBNrWTDmXB4Qbes8A9rEzt6wkJV8mUvoirjU0Mp3GGAU06Y0XQyA3/2/RQFVuK7MTfg==',
};

/** The keys are folder names in the image. */
export function packageManagersFor(architecture: Architecture): Record<string, FixedPackage> {
  return { npm, pnpm: pnpm[architecture], yarn };
}
