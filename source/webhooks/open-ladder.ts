import {type AdapterOptions, type AdapterState} from './adapter-options.ts';
import {dispatch} from './dispatch.ts';
import {type EventRows} from './event-rows.ts';
import {type LogLines} from './log-lines.ts';
import {createRateLimit} from './rate-limit.ts';
import {receive} from './receive.ts';
import {createScripts} from './script.ts';
import {type WalkOptions} from './walk.ts';

/** Wires what follows after the body. The quotas begin unused and outlive a new configuration. */
export function openLadder(
	options: AdapterOptions,
	place: Pick<AdapterState, 'coalesced' | 'signal'> & {readonly rows: EventRows; readonly log: LogLines},
): WalkOptions['receive'] {
	const {clock, journal, deliver, wakeRuns, queueLimit, profile} = options;
	const {rows, log, coalesced, signal} = place;
	const {takeQuota} = createRateLimit(clock);
	const {record} = rows;
	const runScript = createScripts({
		settings: options.scripts,
		settingsOf: name => options.otherProfile?.(name)?.scripts,
		clock,
		signal,
		reportFault: log.scriptFault,
	});
	const fireJob = options.fireJob ?? noJobs;
	const act = {journal, record, deliver, fireJob, wakeRuns, coalesced, queueLimit, profile, signal, report: log.error};
	return (request, {maxBodyBytes, rateLimit}) =>
		receive(request, {
			maxBodyBytes,
			takeQuota: route => takeQuota(route, rateLimit),
			onLegacySignature: log.legacySignature,
			runScript,
			dispatch: event => dispatch(event, act),
		});
}

const noJobs: NonNullable<AdapterOptions['fireJob']> = async () => ({kind: 'dropped', reason: 'there are no jobs'});
