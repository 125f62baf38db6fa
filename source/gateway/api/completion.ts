import {type CompletedKind, type CompletedName} from '../../state/json/gateway.ts';
import {approvalInWords, ruleInWords} from '../../approvals/rule.ts';
import {type LiveSnapshot} from '../../state/gathered-snapshot.ts';
import {eventCompletion} from '../../state/entities/event.ts';
import {runCompletion} from '../../state/entities/run.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {claimed, safeText, toolText} from '../../util/safe-text.ts';
import {type Nodes} from '../journal/nodes.ts';
import {type Profile} from '../services/profiles.ts';
import {type storedEvents} from '../pages/stored-events.ts';
import {type storedDeliveries} from './deliveries.ts';

/** A shell shows a list of them; nobody reads a longer one. */
const maxNames = 200;
const maxEvents = 50;
const summaryCharacters = 80;

/** Ids and names of these profiles for shell completion, each with a description (docs/cli.md, Conventions). */
export function completionMethods(
	{context, tools, cron}: Pick<Profile, 'context' | 'tools' | 'cron'>,
	parts: {
		readonly first: string;
		readonly listed: ReadonlyArray<Pick<Profile, 'name'>>;
		readonly live: Pick<LiveSnapshot, 'current'>;
		readonly nodes: Pick<Nodes, 'showOthers'>;
		readonly stored: Pick<ReturnType<typeof storedEvents>, 'list'>;
		readonly deliveries: ReturnType<typeof storedDeliveries>;
	},
) {
	const isListed = ({profile}: {readonly profile: string}) => parts.listed.some(({name}) => name === profile);
	const namesOf = async (kind: CompletedKind): Promise<CompletedName[]> => {
		if (kind === 'run' || kind === 'call') {
			await parts.nodes.showOthers();
		}

		const {approvals, questions, uncertain, runs, events, routes} = parts.live.current();
		switch (kind) {
			case 'approval':
				return approvals.filter(isListed).map(({id, server, tool}) => named(id, toolText({server, tool})));
			case 'question':
				return questions.filter(isListed).map(({id, asker, message}) => named(id, `${asker}: ${message}`));
			case 'uncertain':
				return uncertain.filter(isListed).map(({callId, server, tool}) => named(callId, toolText({server, tool})));
			case 'run':
				return runs
					.filter(isListed)
					.map(run => named(run.runId, runCompletion(run)))
					.reverse();
			case 'call':
				return events
					.filter(event => event.type === 'tool.finished')
					.filter(isListed)
					.map(({callId, server, tool, outcome}) => named(callId, `${toolText({server, tool})} ${outcome}`))
					.reverse();
			case 'event':
				return (await parts.stored.list({limit: maxEvents})).map(event => named(event.id, eventCompletion(event)));
			case 'delivery':
				return unsent(parts.deliveries);
			case 'tool':
				return tools.catalogue
					.list()
					.map(({name, definition}) =>
						named(name, definition.title === undefined ? '' : claimed('title', definition.title)),
					);
			case 'route':
				// The gateway serves routes of its first profile only.
				return context.paths.profile === parts.first ? routes.map(({route, state}) => named(route, state)) : [];
			case 'job':
				return (await cron.rows()).flatMap(({id, name, schedule}) => [named(name, schedule), named(id, name)]);
			case 'rule':
				return [
					...tools.storedRules.list().map(rule => named(rule.id, ruleInWords(rule))),
					...tools.rules.list().map(rule => named(rule.id, approvalInWords(rule))),
				];
		}
	};

	return {
		'completion.names': async ({of}: {readonly of: CompletedKind}) =>
			redactTexts((await namesOf(of)).slice(0, maxNames), context.redactor.redact),
	};
}

/** Messages that did not arrive for certain, newest first: the others are neither sent again nor given up. */
async function unsent(list: ReturnType<typeof storedDeliveries>): Promise<CompletedName[]> {
	const states = ['retrying', 'failed', 'outcome_uncertain'] as const;
	const rows = (await Promise.all(states.map(async state => list({limit: maxEvents, state})))).flat();
	return rows
		.toSorted((first, second) => second.time - first.time)
		.map(({id, state, target, route, job}) => named(id, `${state} ${target} ${route ?? job ?? ''}`.trim()));
}

function named(name: string, summary: string): CompletedName {
	return {name, summary: safeText(summary, {maximumCharacters: summaryCharacters})};
}
