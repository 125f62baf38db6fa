import {type GatewayHandlers} from '../../control/methods.ts';
import {type ChangedCallRow, type RehearsalProgress} from '../../state/view-event.ts';
import {problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type RehearsalOutcome} from '../services/rehearsals.ts';
import {type HandlerContext} from './handler-context.ts';
import {allRules} from './rule-rows.ts';

type Parts = Pick<HandlerContext['profile'], 'context' | 'tools'>;

/** More than a person reads; the command lists all of them. */
const maxChanged = 500;

/** So often a person sees how far it is. */
const progressMilliseconds = 250;

/** Tries the rules of a profile on its recorded calls (docs/rules.md, Rehearsal); each state is a note, the last one too. */
export function rehearsalHandlers({
	profile: {context, tools},
}: Pick<HandlerContext, 'profile'>): Pick<GatewayHandlers, 'rules.rehearse'> {
	return {
		async 'rules.rehearse'({without}, {signal, note}) {
			const parts = {context, tools};
			const left = without === undefined ? {} : {without: rulesInWords(parts).get(without) ?? without};
			const show = (progress: RehearsalProgress) => {
				if (!signal.aborted) {
					note({type: 'view.rehearsal', ...left, progress});
				}
			};

			show({state: 'running', calls: 0});
			try {
				show(finished(await rehearse(without, {...parts, signal, show}), parts));
			} catch (caught) {
				const reason = safeText(context.redactor.redact(problemLine(toProblem(caught), context.paths.directory)));
				show({state: 'failed', reason});
			}

			return {};
		},
	};
}

function rehearse(
	without: string | undefined,
	options: Parts & {readonly signal: AbortSignal; readonly show: (progress: RehearsalProgress) => void},
): Promise<RehearsalOutcome> {
	const {context, tools, signal, show} = options;
	const {clock} = context;
	let shownAt = clock.elapsed();
	const rules = without === undefined ? ({kind: 'present'} as const) : ({kind: 'without', id: without} as const);
	return tools.rehearse(
		{rules, maxChanged},
		{
			signal,
			onProgress(calls) {
				if (clock.elapsed() - shownAt >= progressMilliseconds) {
					shownAt = clock.elapsed();
					show({state: 'running', calls});
				}
			},
		},
	);
}

function finished(outcome: RehearsalOutcome, targets: Parts): RehearsalProgress {
	const {calls, since, reach, before, verdicts, changes, changed} = outcome;
	const words = rulesInWords(targets);
	const show = (text: string) => safeText(targets.context.redactor.redact(text), {maximumCharacters: 200});
	return {
		state: 'over',
		calls,
		...(since !== undefined && {since}),
		reach,
		before,
		after: verdicts,
		changes,
		changed: changed.map(({id, time, server, tool, before: then, after, rule}): ChangedCallRow => {
			// One that is gone is known by its id alone.
			const decides = rule === undefined ? {} : {rule: words.get(rule) ?? rule};
			return {callId: id, time, server: show(server), tool: show(tool), before: then, after, ...decides};
		}),
	};
}

/** The words of each rule and remembered approval, by its id. */
function rulesInWords(targets: Parts): ReadonlyMap<string, string> {
	return new Map(allRules(targets).map(({id, words}) => [id, words]));
}
