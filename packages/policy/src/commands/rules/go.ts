import type { Form, Program, Refused } from './rule.ts';

const installs: Refused = {
  reason: 'there is no network in the sandbox',
  instead: 'use install_dependencies',
};
const runsProgram: Refused = { reason: 'it would run a program of its own', instead: 'leave it out' };

const inFront = 'put CGO_ENABLED=0 or GOOS=… in front of the command';

/** Omitted on purpose: -exec, -toolexec, -overlay, -modfile, -ldflags and -gcflags, which start or replace programs. */
const building: Form = {
  wordFlags: true,
  flags: `
    -v -x -n -a -race -msan -trimpath -work -cover -json -o=output -p=number -tags=name -mod=name
    --tags=name -buildvcs=name -covermode=name -coverpkg=packages
  `,
  operands: ['packages...'],
  refused: {
    '-exec': runsProgram,
    '-toolexec': runsProgram,
    '-vettool': runsProgram,
    '-ldflags': runsProgram,
    '-gcflags': runsProgram,
  },
};

export const go: Program = {
  names: ['go'],
  reason: 'builds and tests, which the sandbox contains',
  flags: '-C=start',
  wordFlags: true,
  refused: {
    get: installs,
    install: installs,
    'mod download': installs,
    tool: runsProgram,
  },
  subcommands: [
    {
      names: ['build'],
      reason: 'compiles packages of the workspace',
      ...building,
      match: [
        'go build ./...',
        'go build -o bin/app ./cmd/app',
        'go build -o /dev/null ./...',
        'go build -v -race .',
        'go build -o /tmp/app ./cmd/app',
      ],
      notMatch: [
        'go build -toolexec=id ./...',
        'go build -o /usr/bin/x .',
        'go build /etc',
        'go build -overlay=x .',
      ],
    },
    {
      names: ['test'],
      reason: 'runs tests of the workspace',
      ...building,
      flags: `
        ${building.flags} -short -failfast -benchmem -c -fullpath
        -run=pattern -skip=pattern -bench=pattern -fuzz=pattern -list=pattern -count=number
        -timeout=count -parallel=number -cpu=name -benchtime=count -fuzztime=count -shuffle=name
        -vet=name -coverprofile=write -cpuprofile=write -memprofile=write -outputdir=write
      `,
      match: [
        'go test ./...',
        "go test -run 'TestA/b' -v ./pkg/a",
        'go test -race -count=1 -timeout 30s ./...',
        'go test -coverprofile=c.out ./...',
        'go test -bench=. -benchmem',
      ],
      notMatch: [
        'go test -exec id ./...',
        'go test -coverprofile=/tmp/c ./...',
        'go test /etc/...',
        'go test -toolexec x',
      ],
    },
    {
      names: ['vet', 'fmt', 'list', 'doc', 'generate', 'fix'],
      reason: 'checks, formats or lists packages of the workspace',
      ...building,
      flags: `
        ${building.flags} -m -deps -test -all -u -e -short -src -f=text
        -run=pattern
      `,
      match: [
        'go vet ./...',
        'go fmt ./...',
        "go list -f '{{.Dir}}' ./...",
        'go list -m all',
        'go doc fmt.Println',
      ],
      notMatch: ['go vet -vettool=id ./...', 'go list /etc', 'go generate -exec x'],
    },
    {
      names: ['run'],
      reason: 'runs a program of the workspace, which the sandbox contains',
      ...building,
      operands: ['read', 'argument...'],
      stopsAtOperand: true,
      minOperands: 1,
      match: ['go run .', 'go run ./cmd/app --flag x', 'go run main.go'],
      notMatch: ['go run -exec id .', 'go run /tmp/x.go', 'go run'],
    },
    {
      names: ['env'],
      reason: 'shows settings',
      flags: '-json -changed',
      wordFlags: true,
      operands: ['name...'],
      refused: {
        '-w': { reason: 'settings can make it run programs', instead: inFront },
        '-u': { reason: 'settings can make it run programs', instead: inFront },
      },
      match: ['go env', 'go env GOPATH GOFLAGS', 'go env -json'],
      notMatch: ['go env -w GOFLAGS=-toolexec=id', 'go env -u GOFLAGS'],
    },
    {
      names: ['tool cover'],
      reason: 'shows what tests covered',
      flags: '-func=read',
      wordFlags: true,
      needs: { flags: ['-func'], refused: runsProgram },
      match: ['go tool cover -func=cover.out', 'go tool cover -func cover.out'],
      notMatch: ['go tool cover -html=cover.out', 'go tool cover -func=/etc/passwd', 'go tool cover'],
    },
    {
      names: [
        'mod tidy',
        'mod verify',
        'mod graph',
        'mod why',
        'mod vendor',
        'version',
        'work sync',
        'clean',
      ],
      reason: 'looks after go.mod',
      flags: '-v -m -e -testcache -cache',
      wordFlags: true,
      operands: ['name...'],
      match: ['go mod tidy', 'go version', 'go mod why golang.org/x/net', 'go clean -testcache'],
      notMatch: ['go mod download', 'go mod edit -replace=a=/x', 'go clean -i'],
    },
  ],
  match: ['go version', 'go -C src build ./...'],
  notMatch: [
    'go -C / build',
    'go -C src build ../../x',
    'go get x',
    'go install x@latest',
    'go tool pprof',
    'go env -w GOFLAGS=-toolexec=id',
    'go bulid',
  ],
};
