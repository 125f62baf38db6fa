import {type ControlParams, type ControlResult} from '../../control/methods.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Closable, withGateway} from '../cli/connect-gateway.ts';

/** The stored runs and calls, whichever process has the journal open. */
export type RunAccess = {
	readonly runs: (query: ControlParams<'runs.list'>) => Promise<ControlResult<'runs.list'>>;
	readonly run: (id: string) => Promise<ControlResult<'runs.show'>>;
	readonly calls: (query: ControlParams<'calls.list'>) => Promise<ControlResult<'calls.list'>>;
	readonly call: (id: string) => Promise<ControlResult<'calls.show'>>;
	readonly uncertain: () => Promise<ControlResult<'uncertain.list'>>;
};

/** Opens the journal in this process. */
export type OpenRuns = () => Promise<RunAccess & Closable>;

/** Gives `use` the journal of the running gateway, or opens it in this process. */
export function withRuns<Result>(
	context: CommandContext,
	openRuns: OpenRuns,
	use: (access: RunAccess) => Promise<Result>,
): Promise<Result> {
	const {signal} = context;
	return withGateway<RunAccess, Result>(
		context,
		{
			remote: client => ({
				runs: query => client.call('runs.list', query, {signal}),
				run: id => client.call('runs.show', {id}, {signal}),
				calls: query => client.call('calls.list', query, {signal}),
				call: id => client.call('calls.show', {id}, {signal}),
				uncertain: () => client.call('uncertain.list', {}, {signal}),
			}),
			local: openRuns,
		},
		use,
	);
}

const defaultLimit = 50;
const maximumLimit = 1000;

/** How many rows are wanted. Throws `bad_usage`. */
export function readLimit({limit = defaultLimit}: CommandContext['flags']): number {
	if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
		throw new Problem('bad_usage', {message: `--limit must be a whole number from 1 to ${maximumLimit}`});
	}

	return limit;
}
