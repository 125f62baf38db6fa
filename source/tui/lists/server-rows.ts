import {medianMilliseconds, rateKey, type RateSeries} from '../../state/rate-series.ts';
import {type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {own} from '../text/own-glyphs.ts';
import {minutesText, tookText} from '../text/duration-text.ts';
import {type KeyNames, labelled, labelledStatus, type ListRow, nextActionText, rememberPairs} from './list-row.ts';
import {cell, type Line, span} from '../text/span.ts';
import {serverText} from '../text/status-text.ts';

/** The rows of the tool servers, each with how often it is called. */
export function serverRows({servers, rates}: Pick<Snapshot, 'servers' | 'rates'>): ListRow[] {
	return servers.map(server => serverListRow(server, rates.servers[rateKey(server.profile, server.server)]));
}

const serverListRow = rememberPairs(
	(server: ServerRow, calls: RateSeries | undefined): ListRow => ({
		id: serverId(server),
		copy: server.address,
		fields: () => ({
			server: server.server,
			state: server.state,
			transport: server.transport,
			trust: server.trust,
			reason: server.reason ?? '',
			profile: server.profile,
		}),
		line: (width, now, keys) => serverLine(server, width, {now, keys, calls}),
		detail: (width, now, keys) => serverDetail(server, width, {now, keys, calls}),
	}),
);

/** Servers of two profiles may share a name. */
export function serverId(server: {readonly profile: string; readonly server: string}): string {
	return `${server.profile}/${server.server}`;
}

type At = {readonly now: number; readonly keys: KeyNames; readonly calls: RateSeries | undefined};

function serverLine(server: ServerRow, width: number, at: At): Line {
	const {glyph, word, tone} = serverText[server.state];
	if (width < 60) {
		return [
			span(`${glyph} `, tone),
			cell(server.server, 13, 'strong'),
			cell(word, 12, tone),
			span(shortNote(server, at), 'dim'),
		];
	}

	const start = [span(`${glyph} `, tone), cell(server.server, 15, 'strong'), cell(word, 12, tone)];
	const noteSpan = span(note(server, at), server.state === 'failed' ? 'bad' : 'dim');
	if (width < 100 && server.state !== 'connected' && noteSpan.text !== '') {
		// Why it is of no use says more than columns that mean nothing until it is.
		return [...start, noteSpan];
	}

	return [
		...start,
		cell(server.transport, 6, 'dim'),
		cell(toolsText(server), 11),
		cell(server.trust, 10, server.trust === 'untrusted' ? 'busy' : 'dim'),
		noteSpan,
	];
}

function toolsText(server: ServerRow): string {
	return server.tools === 1 ? '1 tool' : `${server.tools} tools`;
}

/** The most useful fact in the server's state. */
function note(server: ServerRow, {now, keys, calls}: At): string {
	if (server.retryAt !== undefined && server.state === 'waiting') {
		return `next ${minutesText(server.retryAt - now)}${server.reason ? own` · ${server.reason}` : ''}`;
	}

	return server.state === 'connected' ? medianText(calls) : (server.reason ?? nextActionText(server, keys));
}

/** The median duration of its latest calls; empty before the first one. */
function medianText(calls: RateSeries | undefined): string {
	const median = calls && medianMilliseconds(calls);
	return median === undefined ? '' : `calls p50 ${tookText(median)}`;
}

function shortNote(server: ServerRow, at: At): string {
	return server.state === 'connected' ? toolsText(server) : note(server, at);
}

function serverDetail(server: ServerRow, width: number, at: At): Line[] {
	const {now, keys, calls} = at;
	const trust = server.trust === 'untrusted' ? 'untrusted: every tool that is not read-only asks first' : 'full';
	return [
		labelledStatus('state', serverText[server.state], span(` since ${timeOfDay(server.changedAt)}`, 'dim')),
		...labelled('reason', server.reason, width),
		...labelled('next', nextActionText(server, keys), width),
		...labelled('retry in', server.retryAt === undefined ? '' : minutesText(server.retryAt - now), width),
		...(server.stderr ?? []).flatMap((line, index) => labelled(index === 0 ? 'stderr' : '', line, width)),
		...labelled('log', server.log, width),
		...labelled('address', server.address, width),
		...labelled('transport', `${server.transport}${server.era ? `, ${server.era} protocol` : ''}`, width),
		...labelled('tools', toolsText(server), width),
		...labelled('trust', trust, width),
		...labelled('calls', medianText(calls).replace('calls ', ''), width),
		...labelled('handshake', server.latencyMs === undefined ? '' : tookText(server.latencyMs), width),
		...labelled('profile', server.profile, width),
	];
}
