import {aboutId, type Command} from '../state/command.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {handleApprovalCommand} from './command-handlers/approval.ts';
import {handleRehearsalCommand} from './command-handlers/rehearsal.ts';
import {handleRuleCommand} from './command-handlers/rules.ts';
import {handleCallCommand, handleLoginCommand, handleServerCommand} from './command-handlers/tools.ts';
import {handleCronCommand, handleRunCommand, handleWebhookCommand} from './command-handlers/automation.ts';
import {type CommandTargets} from './command-handlers/command-targets.ts';
import {type Profile, type Profiles} from './profiles/profiles.ts';

/** Carries out a command that a console gave. Never throws; one that fails is logged. */
export type CommandDispatch = (command: Command, console: CommandTargets['console']) => void;

/** Builds the receiver of the commands of all consoles. */
export function createCommandDispatch(
	targets: Omit<CommandTargets, keyof Profile | 'console'> & {readonly profiles: Profiles},
): CommandDispatch {
	const {profiles} = targets;
	const {publish} = profiles.first.context;
	const dispatch = async (command: Command, console: CommandTargets['console']) =>
		handleCommand(command, {...targets, console, ...targetProfile(command, profiles)});
	return (command, console) => {
		dispatch(command, console).catch((caught: unknown) => {
			const {message, detail} = toProblem(caught);
			const text = safeText(detail ? `${message} (${detail})` : message);
			publish({type: 'log', level: 'error', area: 'commands', text});
			console.show({type: 'view.refused', id: aboutId(command), reason: text});
		});
	};
}

/** Commands about a run or inbox item that is there already. */
const aboutRuns: ReadonlySet<Command['type']> = new Set([
	'follow-up-run',
	'cancel-run',
	'answer-inbox',
	'close-inbox-item',
]);

/** The profile a command is for. Runs and inbox items outlive the service of their profile; the first one then answers for them. */
function targetProfile({type, profile}: Command, {all, first, find}: Profiles): Profile {
	return aboutRuns.has(type) ? (all.find(({name}) => name === profile) ?? first) : find(profile);
}

/** Hands each command to the handler of its subject. */
async function handleCommand(command: Command, targets: CommandTargets): Promise<void> {
	switch (command.type) {
		case 'answer-approval':
		case 'answer-question':
		case 'answer-proposal':
		case 'hold':
		case 'unhold':
			return handleApprovalCommand(command, targets);
		case 'propose-rule':
		case 'store-rule':
		case 'show-rules':
		case 'revoke-rule':
			return handleRuleCommand(command, targets);
		case 'rehearse-rules':
		case 'cancel-rehearsal':
			return handleRehearsalCommand(command, targets);
		case 'reconnect-server':
		case 'set-server-enabled':
		case 'add-server':
		case 'show-server':
		case 'show-server-calls':
		case 'show-server-log':
			return handleServerCommand(command, targets);
		case 'start-login':
		case 'switch-to-oauth':
		case 'cancel-login':
		case 'finish-login':
			return handleLoginCommand(command, targets);
		case 'show-tools':
		case 'call-tool':
		case 'call-again':
		case 'cancel-call':
		case 'resolve-uncertain':
		case 'repeat-uncertain':
			return handleCallCommand(command, targets);
		case 'enable-webhooks':
		case 'set-route-paused':
		case 'show-event':
		case 'show-call':
		case 'show-decision':
		case 'show-delivery':
		case 'show-run':
		case 'show-trace':
		case 'dry-run-event':
		case 'replay-event':
		case 'dismiss-deliveries':
			return handleWebhookCommand(command, targets);
		case 'start-run':
		case 'follow-up-run':
		case 'cancel-run':
		case 'answer-inbox':
		case 'close-inbox-item':
			return handleRunCommand(command, targets);
		case 'run-job':
		case 'set-job-paused':
			return handleCronCommand(command, targets);
		case 'reload':
			await targets.reload();
			return;
		case 'start-demo':
		case 'stop':
			throw new Problem('bad_usage', {message: 'Only the window itself can do that'});
	}
}
