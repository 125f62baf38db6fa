import {type DeliveryResult} from '../delivery/deliver.ts';
import {partsText} from '../journal/rows/answer-ends.ts';
import {type Destination, targetNames} from '../util/destinations.ts';
import {Problem} from '../util/problem.ts';

type Failure = Extract<DeliveryResult, {readonly problem: Problem}>;

/** The worst last. */
const severities: ReadonlyArray<DeliveryResult['kind']> = ['delivered', 'retrying', 'uncertain', 'failed'];

/** One result for several messages with one text: the worst of them. Its problem names each that failed, and those that arrived. */
export function resultOfAll(
	destinations: ReadonlyArray<Pick<Destination, 'target'>>,
	results: readonly DeliveryResult[],
): DeliveryResult {
	const [first, ...rest] = results;
	if (!first || rest.length === 0) {
		return first ?? {kind: 'delivered', target: ''};
	}

	const worst = results.reduce((worse, one) =>
		severities.indexOf(one.kind) > severities.indexOf(worse.kind) ? one : worse,
	);
	if (worst.kind === 'delivered' || worst.kind === 'retrying') {
		return worst.kind === 'delivered' ? {kind: 'delivered', target: targetNames(destinations)} : worst;
	}

	const targetsOf = (kind: DeliveryResult['kind']) =>
		destinations.flatMap(({target}, index) => (results[index]?.kind === kind ? [target] : []));
	const textsOf = (textOf: (problem: Problem) => string) =>
		partsText({
			failures: destinations.flatMap(({target}, index) => {
				const result = results[index];
				return result && isFailure(result) ? [`${target}: ${textOf(result.problem)}`] : [];
			}),
			arrived: targetsOf('delivered'),
			waiting: targetsOf('retrying'),
		});
	const {problem} = worst;
	const message = textsOf(one => one.message);
	const detail = textsOf(one => one.detail ?? one.message);
	return {kind: worst.kind, problem: new Problem(problem.code, {message, detail, cause: problem})};
}

function isFailure(result: DeliveryResult): result is Failure {
	return result.kind === 'failed' || result.kind === 'uncertain';
}
