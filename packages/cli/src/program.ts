/** The words that can be typed. Each command's code is loaded when it is called, because a start has to be quick. */
import { Command } from 'commander';
import type { ExitCode } from './cli-error.ts';
import { addPolicyCommand } from './commands/policy/policy.ts';
import { addRunCommand } from './commands/run/run.ts';
import { addSecretsCommand } from './commands/secrets/secrets.ts';
import { readVersion } from './process/workspace.ts';

export type Finish = (code: ExitCode) => void;

export function buildProgram(finish: Finish): Command {
  const program = new Command('fettle')
    .description('A code worker on your own machine: from a request to a proven proposal.')
    .version(readVersion(), '--version', 'print the version')
    .option('--no-color', 'print without colours')
    .addHelpText(
      'after',
      `
Examples:
  fettle demo                                            watch it work, without a key
  fettle run fix "the total loses a cent" --repo .       work on one request
  fettle up                                              run the server until Ctrl-C

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 denied or found, 4 no server or sandbox to be had,
5 cancelled, 6 nothing to change, 130 interrupted.`,
    );

  program
    .command('demo')
    .description('Make a small repository with a real fault and watch it being mended, by a recorded model.')
    .option('--fast', 'do not wait so that a person can read along')
    .addHelpText('after', '\nExample:\n  fettle demo --fast')
    .action(async (_options, command: Command) => {
      const { demo } = await import('./commands/demo/run-demo.ts');
      finish(await demo(command.optsWithGlobals()));
    });

  program
    .command('up')
    .description('Run the server: Redis, api and worker, until Ctrl-C.')
    .option('--port <number>', 'where to listen; 0 is a free port (default: FETTLE_PORT or 4747)')
    .addHelpText('after', '\nExample:\n  ANTHROPIC_API_KEY=… fettle up --port 4747')
    .action(async (_options, command: Command) => {
      const { up } = await import('./commands/up/run-server.ts');
      finish(await up(command.optsWithGlobals()));
    });

  program
    .command('init')
    .argument('<repo>', 'the root folder of a clone')
    .description('Find out how a repository is set up and checked, and write it to its .fettle/config.yml.')
    .option('--force', 'over one that is there already')
    .option('--print', 'print it and write nothing')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  fettle init .\n  fettle init ~/work/shop --print')
    .action(async (repository: string, _options, command: Command) => {
      const { init } = await import('./commands/init/write-repository-config.ts');
      finish(await init(repository, command.optsWithGlobals()));
    });

  addRunCommand(program, finish);
  addPolicyCommand(program, finish);

  program
    .command('operations')
    .description('List operations, the newest first.')
    .option('--state <state>', 'only those in this state')
    .option('--kind <kind>', 'only those of this kind')
    .option('--repo <repository>', 'only those on this repository')
    .option('--limit <number>', 'how many, up to 200', '20')
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle operations --state awaiting_approval --limit 5')
    .action(async (_options, command: Command) => {
      const { operations } = await import('./commands/operations.ts');
      finish(await operations(command.optsWithGlobals()));
    });

  program
    .command('show')
    .argument('<id>', 'the operation')
    .description('Show one operation: its state, its outcome and where to look.')
    .option('--diff', 'with the whole change')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle show op_01kxv3c9m2t8w4r6yq --diff')
    .action(async (id: string, _options, command: Command) => {
      const { show } = await import('./commands/show.ts');
      finish(await show(id, command.optsWithGlobals()));
    });

  program
    .command('logs')
    .argument('<id>', 'the operation')
    .description('Tell everything that happened in an operation.')
    .option('--follow', 'go on until it is settled')
    .option('--json', 'print one event a line, as JSON')
    .addHelpText('after', '\nExample:\n  fettle logs op_01kxv3c9m2t8w4r6yq --follow')
    .action(async (id: string, _options, command: Command) => {
      const { logs } = await import('./commands/logs.ts');
      finish(await logs(id, command.optsWithGlobals()));
    });

  program
    .command('say')
    .argument('<id>', 'the operation')
    .argument('<words...>', 'what the agent should know')
    .description('Say something to an operation; its agent is told before its next turn.')
    .option('--idempotency-key <key>', 'the same key again is the same message')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle say op_01kxv3c9m2t8w4r6yq "leave the public API as it is"')
    .action(async (id: string, words: string[], _options, command: Command) => {
      const { say } = await import('./commands/say.ts');
      finish(await say(id, words, command.optsWithGlobals()));
    });

  program
    .command('plan')
    .argument('<id>', 'the operation')
    .description('Show the plan of an operation, or decide about it.')
    .option('--approve', 'let it be carried out')
    .option('--change <words>', 'say what to change; the agent plans again')
    .option('--cancel', 'cancel the operation')
    .option('--of <version>', 'decide only if this is still the version of the plan')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  fettle plan op_01kxv3c9m2t8w4r6yq --change "no new dependency" --of 1',
    )
    .action(async (id: string, _options, command: Command) => {
      const { plan } = await import('./commands/plan.ts');
      finish(await plan(id, command.optsWithGlobals()));
    });

  program
    .command('cancel')
    .argument('<id>', 'the operation')
    .description('Cancel an operation; it stays cancelled.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle cancel op_01kxv3c9m2t8w4r6yq')
    .action(async (id: string, _options, command: Command) => {
      const { cancel } = await import('./commands/cancel.ts');
      finish(await cancel(id, command.optsWithGlobals()));
    });

  program
    .command('pause')
    .argument('<id>', 'the operation')
    .description('Pause an operation after the part that is under way; nothing of its work is lost.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle pause op_01kxv3c9m2t8w4r6yq')
    .action(async (id: string, _options, command: Command) => {
      const { pause } = await import('./commands/pause.ts');
      finish(await pause(id, command.optsWithGlobals()));
    });

  program
    .command('resume')
    .argument('<id>', 'the operation')
    .description('Go on with an operation that was paused.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle resume op_01kxv3c9m2t8w4r6yq')
    .action(async (id: string, _options, command: Command) => {
      const { resume } = await import('./commands/resume.ts');
      finish(await resume(id, command.optsWithGlobals()));
    });

  program
    .command('sandbox')
    .description('Try the sandbox itself.')
    .command('exec')
    .argument('<program...>', 'the program and its arguments, after --')
    .description(
      'Run a program in a fresh sandbox of the kind that the agent gets, and leave nothing behind.',
    )
    .option('--backend <backend>', 'auto, docker, bubblewrap or process (default: FETTLE_SANDBOX)')
    .option('--repo <repository>', 'bring in the default branch of this repository')
    .option('--timeout <seconds>', 'end it after that', '300')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Exit codes: those of the program; 124 at its time limit, 125 when the sandbox failed,
127 when there is no such program, 4 when there is no sandbox.

Examples:
  fettle sandbox exec -- id
  fettle sandbox exec --repo . --timeout 60 -- npm test`,
    )
    .action(async (words: string[], _options, command: Command) => {
      const { sandboxExec } = await import('./commands/sandbox/exec.ts');
      process.exitCode = await sandboxExec(words, command.optsWithGlobals());
    });

  addSecretsCommand(program, finish);

  program
    .command('doctor')
    .description('Look at what Fettle needs of this machine.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle doctor')
    .action(async (_options, command: Command) => {
      const { doctor } = await import('./commands/doctor/print-diagnoses.ts');
      finish(await doctor(command.optsWithGlobals()));
    });

  return program;
}
