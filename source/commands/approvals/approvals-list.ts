import {type ControlClient} from '../../control/client.ts';
import {type ApprovalJson} from '../../control/wire.ts';
import {hiddenWords} from '../../state/approval-event.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {jsonDocument} from '../cli/json-document.ts';
import {textTable} from '../cli/text-table.ts';

/** Prints what waits for a person. Without a gateway nothing waits. */
export async function listApprovals(context: CommandContext, client: ControlClient | undefined): Promise<ExitCode> {
	const approvals = client ? await client.call('approvals.list', {}, {signal: context.signal}) : [];
	if (context.flags.json) {
		context.stdout(jsonDocument(approvals));
	} else if (approvals.length > 0) {
		context.stdout(textTable(['ID', 'SERVER', 'TOOL', 'ARGUMENTS', 'FROM', 'UNTIL'], approvals.map(row)));
	} else {
		context.stderr(
			client ? 'Nothing waits for an answer.\n' : 'No gateway is running, so nothing waits for an answer.\n',
		);
	}

	return 0;
}

function row(approval: ApprovalJson): string[] {
	return [
		approval.id,
		approval.server,
		approval.tool,
		argumentWords(approval),
		originText(approval.origin),
		timeOfDay(approval.expires_at),
	];
}

/** What is not shown comes first: the end of a long cell is cut. */
function argumentWords({arguments: shown, cut_bytes: cutBytes, masked_values: maskedValues}: ApprovalJson): string {
	const hidden = hiddenWords({cutBytes, maskedValues});
	return `${hidden.length > 0 ? `(${hidden.join(', ')}) ` : ''}${JSON.stringify(shown)}`;
}

/** The caller in a few words; each part of a run says what it is. */
function originText({kind, ...rest}: ApprovalJson['origin']): string {
	const known = Object.entries(rest).flatMap(([name, value]) =>
		typeof value === 'string' && value !== '' ? [{name: name.replace(/_id$/u, ''), value}] : [],
	);
	return kind === 'run'
		? known.map(({name, value}) => `${name} ${value}`).join(' · ')
		: [kind, ...known.map(({value}) => value)].join(' ');
}
