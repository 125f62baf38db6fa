import {type GatewayHandlers} from '../../control/methods.ts';
import {type FormField} from '../../state/person-event.ts';
import {type ConfirmationEndJson} from '../../state/json/event.ts';
import {safeText, shownName} from '../../util/safe-text.ts';
import {
	type ConfirmationEnd,
	type ConfirmationProposal,
	handshakeMilliseconds,
} from '../../webhooks/routes/handshake-windows.ts';
import {assertMayAllow, type HandlerContext} from './handler-context.ts';

type HandshakeHandlers = Pick<GatewayHandlers, 'webhook.handshake' | 'webhook.confirm'>;

/** The form of the question about a confirmation. */
const fields: readonly FormField[] = [
	{
		kind: 'boolean',
		name: 'confirm',
		title: 'Confirm the subscription',
		description: 'Yes fetches the address above once.',
		need: 'required',
		defaultValue: false,
	},
];

/** Opens handshake windows, and fetches what a person agrees to (docs/providers.md, Handshakes). */
export function handshakeHandlers({caller, profile, events}: HandlerContext): HandshakeHandlers {
	const {tools, context} = profile;
	const {handshakes} = events;
	const askAtConsole = async (proposal: ConfirmationProposal, by: string, signal: AbortSignal) => {
		const answer = await tools.questions.ask(
			{
				kind: 'elicitation',
				asker: `route ${shownName(proposal.route)}`,
				message: confirmationText(proposal),
				fields,
				origin: {kind: 'dashboard', by},
			},
			{timeoutSeconds: handshakeMilliseconds / 1000, signal},
		);
		return answer.kind === 'answered' && answer.values['confirm'] === true
			? toJson(await handshakes.confirm(proposal.id, {signal}))
			: ({outcome: 'declined', reason: null} as const);
	};

	return {
		async 'webhook.handshake'({route}, {signal}) {
			// A command that may not agree at the end does not begin.
			assertMayAllow(caller, context);
			const end = await handshakes.open(route, {signal});
			if (end.kind === 'closed') {
				return {outcome: 'closed', proposal: null, reason: null};
			}

			if (caller.kind === 'console') {
				return {proposal: null, ...(await askAtConsole(end.proposal, caller.name, signal))};
			}

			const {id, topic, url} = end.proposal;
			return {outcome: 'proposed', proposal: {id, topic, url}, reason: null};
		},
		async 'webhook.confirm'({id}, {signal}) {
			assertMayAllow(caller, context);
			return toJson(await handshakes.confirm(id, {signal}));
		},
	};
}

function toJson(end: ConfirmationEnd): ConfirmationEndJson {
	return {outcome: end.kind, reason: end.kind === 'failed' ? safeText(end.reason) : null};
}

function confirmationText({topic, url}: ConfirmationProposal): string {
	return safeText(`AWS SNS asks to confirm the subscription of ${topic}. The address to fetch: ${url}`, {
		maximumCharacters: 3000,
	});
}
