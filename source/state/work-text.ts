import {because} from './because.ts';
import {originText} from './origin.ts';
import {type WorkEvent} from './work-event.ts';

/** A change of a call, run or job, in one line. */
export function workText(event: WorkEvent): string {
	switch (event.type) {
		case 'tool.started':
			return `${event.server}/${event.tool} started, from ${originText(event.origin)}`;
		case 'tool.progress':
			return `${event.callId} ${event.progress}${event.total === undefined ? '' : ` of ${event.total}`}${because(event.message)}`;
		case 'tool.finished':
			return `${event.server}/${event.tool} ${event.outcome}${event.code ? ` ${event.code}` : ''}, ${Math.round(event.ms)} ms, from ${originText(event.origin)}`;
		case 'call.uncertain':
			return `${event.callId} ${event.server}/${event.tool} may have taken effect${because(event.reason)}`;
		case 'call.resolved':
			return `${event.callId} ${event.resolution}${event.by ? ` by ${event.by}` : ''}`;
		case 'run.state':
			return `${event.runId} ${event.state}${event.route ? ` route ${event.route}` : ''}${event.job ? ` job ${event.job}` : ''}${event.waitingFor ? ` waits for ${event.waitingFor}` : ''}${because(event.reason)}`;
		case 'run.text':
			return `${event.runId} says${because(event.text.replaceAll(/\s+/g, ' ').trim())}`;
		case 'run.step':
			return `${event.runId} ${event.step.tool} ${event.step.outcome ?? event.step.state}`;
		case 'cron.job':
			return `${event.name} ${event.state}${event.lastStatus ? `, last ${event.lastStatus}` : ''}`;
		case 'cron.removed':
			return `${event.id} removed`;
		case 'cron.fired':
			return `${event.job} fired by ${event.by}`;
		case 'cron.dropped':
			return `${event.job} not run, fired by ${event.by}${because(event.reason)}`;
	}
}
