import {type Origin} from '../state/origin.ts';
import {type Rule} from './rule.ts';
import {type CallOrigin, type EvaluatedCall, ruleVerdict, type RuleVerdict} from './rule-verdict.ts';

/**
The origins of a call, as rules see them: first the one that outsiders may have started. The run of a job that a webhook fired comes from both; a run that
a person started comes from that person. The name of an endpoint client is that of its token; over stdio it is a claim, and without one no name.
*/
export function ruleOrigins(origin: Origin): readonly [CallOrigin, ...CallOrigin[]] {
	switch (origin.kind) {
		case 'command-line':
			return [{kind: 'command'}];
		case 'dashboard':
			return [{kind: 'person'}];
		case 'endpoint': {
			const {name = '', claim} = origin;
			return [claim === undefined ? {kind: 'endpoint', name} : {kind: 'endpoint', name: claim, nameIs: 'claimed'}];
		}

		case 'demo':
			return [{kind: 'endpoint', name: origin.client}];
		case 'run': {
			const {route, job = ''} = origin;
			const ofJob = job === '' ? [] : [{kind: 'job', name: job} as const];
			return route === '' ? [ofJob[0] ?? {kind: 'person'}] : [{kind: 'route', name: route}, ...ofJob];
		}
	}
}

/**
The verdict of the rules about a call, for every path to a tool. Of two origins both can deny or ask, but only the first allows: its payload is what
the run works on.

To review what rules decide, read on in this order: `rule-verdict.ts` (which rules are for a call, and which of them decides), `rule-arguments.ts`
(which values an argument of a rule means), `rule-condition.ts` (what a condition answers for a value), `text-spellings.ts` (what else a text may be
taken for), `policy.ts` (what becomes of the verdict).
Three things hold in all of them: an allow rule compares exactly and needs a yes from everything; any other rule also finds what may be taken for
what it names; what is undecided never lets a call through.
*/
export function callVerdict(
	rules: readonly Rule[],
	call: Omit<EvaluatedCall, 'origin'> & {readonly origin: Origin},
): RuleVerdict {
	const [first, ...further] = ruleOrigins(call.origin).map(origin => ruleVerdict(rules, {...call, origin}));
	const verdicts = [...(first ? [first] : []), ...further];
	return (
		verdicts.find(({kind}) => kind === 'deny') ?? verdicts.find(({kind}) => kind === 'ask') ?? first ?? {kind: 'none'}
	);
}
