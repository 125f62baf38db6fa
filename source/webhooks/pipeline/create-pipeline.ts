import {type AdapterOptions, type AdapterState} from './adapter-options.ts';
import {createDispatch} from './dispatch.ts';
import {type EventRows} from './event-rows.ts';
import {type LogLines} from '../http/log-lines.ts';
import {createRateLimit} from '../http/route-limits.ts';
import {receive} from './receive.ts';
import {createScripts} from '../script/script.ts';
import {type HandleRequestOptions} from './handle-request.ts';

/** Wires what follows after the body. The quotas begin unused and outlive a new configuration. */
export function createPipeline(
	options: AdapterOptions,
	place: Pick<AdapterState, 'coalesced' | 'signal'> & {readonly rows: EventRows; readonly log: LogLines},
): HandleRequestOptions['receive'] {
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
	const dispatch = createDispatch({
		clock,
		journal,
		record,
		profile,
		signal,
		report: log.error,
		deliver,
		fireJob,
		wakeRuns,
		coalesced,
		queueLimit,
	});
	return (request, {maxBodyBytes, rateLimit}) =>
		receive(request, {
			maxBodyBytes,
			takeQuota: route => takeQuota(route, rateLimit),
			onLegacySignature: log.legacySignature,
			runScript,
			dispatch,
		});
}

const noJobs: NonNullable<AdapterOptions['fireJob']> = async () => ({kind: 'dropped', reason: 'there are no jobs'});
