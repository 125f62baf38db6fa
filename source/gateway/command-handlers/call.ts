import {type Command} from '../../state/command.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {callOutcome, type ToolOutcome} from '../../tools/tool-outcome.ts';
import {toolRows} from '../../tools/tool-rows.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandTargets} from './command-targets.ts';

type CallCommand = Extract<
	Command,
	{type: 'show-tools' | 'call-tool' | 'cancel-call' | 'resolve-uncertain' | 'repeat-uncertain'}
>;

const dashboard = 'dashboard';
const mostResultCharacters = 100_000;

/** Orders about tools and calls. */
export async function handleCallCommand(command: CallCommand, {context, tools}: CommandTargets): Promise<void> {
	switch (command.type) {
		case 'show-tools': {
			const rows = toolRows(tools.catalogue.status(command.server), tools.rules.list());
			context.publish({type: 'view.tools', tools: rows});
			return;
		}

		case 'call-tool': {
			const {name, arguments: args} = command;
			// It ends like any other: by its server, its time limit, or a person who calls it off.
			const outcome = await tools.callTool(
				{name, arguments: args, origin: {kind: dashboard}},
				{signal: new AbortController().signal},
			);
			context.publish(callView(command, outcome));
			return;
		}

		case 'cancel-call':
			tools.running.cancel(command.callId);
			return;
		case 'resolve-uncertain':
			await tools.uncertain.resolve(command.callId, command.resolution, dashboard);
			return;
		case 'repeat-uncertain':
			await tools.uncertain.repeat(command.callId, dashboard);
	}
}

function callView(
	{requestId, name}: Extract<CallCommand, {type: 'call-tool'}>,
	outcome: ToolOutcome,
): GatewayEventBody {
	const text = outcome.kind === 'result' ? outcome.result : outcome.error.message;
	return {
		type: 'view.call',
		requestId,
		name: safeText(name, {maximumCharacters: 200}),
		outcome: callOutcome(outcome),
		text: safeText(text, {maximumCharacters: mostResultCharacters, multiline: true}),
	};
}
