/** Lists the commands. Each command loads its code only when it is called, so that `fettle` starts quickly. */
import { Command } from 'commander';
import { cancelCommand } from './commands/cancel.ts';
import { changesCommand } from './commands/changes.ts';
import { checkCommand } from './commands/check/check.ts';
import { completionCommand } from './commands/completion/completion.ts';
import { configCommand } from './commands/config/config.ts';
import { demoCommand } from './commands/demo/demo.ts';
import { doctorCommand } from './commands/doctor/doctor.ts';
import { githubCommand } from './commands/github/github.ts';
import { initCommand } from './commands/init/init.ts';
import { logsCommand } from './commands/logs.ts';
import { modelCommand } from './commands/model/model.ts';
import { operationsCommand } from './commands/operations.ts';
import { pauseCommand } from './commands/pause.ts';
import { planCommand } from './commands/plan.ts';
import { policyCommand } from './commands/policy/policy.ts';
import { pruneCommand } from './commands/prune/prune.ts';
import { resumeCommand } from './commands/resume.ts';
import { runCommand } from './commands/run/run.ts';
import { sandboxCommand } from './commands/sandbox/sandbox.ts';
import { sayCommand } from './commands/say.ts';
import { secretsCommand } from './commands/secrets/secrets.ts';
import { showCommand } from './commands/show.ts';
import { upCommand } from './commands/up/up.ts';
import { readVersion } from './process/workspace.ts';

export function buildProgram(): Command {
  return new Command('fettle')
    .description('A self-hosted code worker: turns a request into a verified pull request.')
    .version(readVersion(), '--version', 'print the version')
    .option('--no-color', 'print without colors')
    .addHelpText(
      'after',
      `
Examples:
  fettle demo                              try it without an API key
  fettle check                             run the checks of this repository
  fettle run fix "the total loses a cent"  work on one request
  fettle up                                run the server until Ctrl-C

Exit codes: 0 success, 1 failed, 2 wrong usage, 3 denied or something was found, 4 no server or sandbox is available, 5 cancelled, 6 nothing to change, 130 interrupted.`,
    )
    .addCommand(demoCommand())
    .addCommand(upCommand())
    .addCommand(initCommand())
    .addCommand(checkCommand())
    .addCommand(runCommand())
    .addCommand(policyCommand())
    .addCommand(operationsCommand())
    .addCommand(showCommand())
    .addCommand(logsCommand())
    .addCommand(sayCommand())
    .addCommand(planCommand())
    .addCommand(changesCommand())
    .addCommand(cancelCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(sandboxCommand())
    .addCommand(secretsCommand())
    .addCommand(modelCommand())
    .addCommand(githubCommand())
    .addCommand(configCommand())
    .addCommand(pruneCommand())
    .addCommand(doctorCommand())
    .addCommand(completionCommand());
}
