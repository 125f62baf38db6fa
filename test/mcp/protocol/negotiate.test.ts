import {ProtocolError, SdkError, SdkErrorCode, SdkHttpError} from '@modelcontextprotocol/client';
import {describe, expect, test} from 'vitest';
import {
	eraEvidence,
	type EraEvidence,
	firstStep,
	type HandshakeStep,
	nextStep,
	type Protocol,
} from '../../../source/mcp/protocol/negotiate.ts';
import {Problem} from '../../../source/util/problem.ts';

test.each([
	['auto', 'initialize'],
	['stateless', 'discover'],
	['legacy', 'initialize'],
] as const)('%s begins with %s', (protocol, step) => {
	expect(firstStep(protocol)).toBe(step);
});

describe('after a failed step', () => {
	const allowed = new Map<string, HandshakeStep>([
		['auto initialize modern-only', 'discover'],
		['stateless discover not-modern', 'initialize'],
	]);
	const cases = (['auto', 'stateless', 'legacy'] as const satisfies Protocol[]).flatMap(protocol =>
		(['initialize', 'discover'] as const satisfies HandshakeStep[]).flatMap(failed =>
			(['modern-only', 'not-modern', 'none'] as const satisfies EraEvidence[]).map(evidence => ({
				protocol,
				failed,
				evidence,
				next: allowed.get(`${protocol} ${failed} ${evidence}`),
			})),
		),
	);

	test.each(cases)('$protocol, $failed, $evidence → $next', ({protocol, failed, evidence, next}) => {
		expect(nextStep(protocol, failed, evidence)).toBe(next);
	});
});

function httpError(status: number, text = ''): SdkHttpError {
	return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'no', {status, statusText: '', text});
}

const modern = {supported: ['2026-07-28']};
const rejection = JSON.stringify({jsonrpc: '2.0', id: 0, error: {code: -32_022, message: 'no', data: modern}});

describe('a refused handshake', () => {
	test.each([
		['the error of the protocol', new ProtocolError(-32_022, 'no', modern), 'modern-only'],
		['the same as the body of HTTP 400', httpError(400, rejection), 'modern-only'],
		['a method that is not known', new ProtocolError(-32_601, 'no'), 'modern-only'],
		['an error that offers newer revisions only', new ProtocolError(-32_602, 'no', modern), 'modern-only'],
		['an error that offers older revisions', new ProtocolError(-32_022, 'no', {supported: ['2024-11-05']}), 'none'],
		['HTTP 400 without an error of the protocol', httpError(400, 'Bad Request'), 'none'],
		['another error', new ProtocolError(-32_603, 'no'), 'none'],
		['a time-out', new Problem('connect_timeout'), 'none'],
		['a time-out of the SDK', new SdkError(SdkErrorCode.RequestTimeout, 'late'), 'none'],
	] as const)('with %s says %s', (_, error, evidence) => {
		expect(eraEvidence('initialize', error, 'http')).toBe(evidence);
	});
});

describe('a failed probe', () => {
	const silent = new SdkError(SdkErrorCode.EraNegotiationFailed, 'no offer');
	const broken = new SdkError(SdkErrorCode.EraNegotiationFailed, 'no', undefined, {cause: new Error('ECONNREFUSED')});
	test.each([
		{what: 'an answer without an offer', error: silent, transport: 'http', evidence: 'not-modern'},
		{what: 'a network failure', error: broken, transport: 'http', evidence: 'none'},
		{what: 'HTTP 404', error: httpError(404), transport: 'http', evidence: 'not-modern'},
		{what: 'HTTP 401', error: httpError(401), transport: 'http', evidence: 'none'},
		{what: 'HTTP 403', error: httpError(403), transport: 'http', evidence: 'none'},
		{what: 'HTTP 503', error: httpError(503), transport: 'http', evidence: 'none'},
		{what: 'silence', error: new Problem('connect_timeout'), transport: 'http', evidence: 'none'},
		{what: 'silence', error: new Problem('connect_timeout'), transport: 'stdio', evidence: 'not-modern'},
		{what: 'an end', error: new Problem('server_exited'), transport: 'stdio', evidence: 'not-modern'},
		{what: 'a missing executable', error: new Problem('command_not_found'), transport: 'stdio', evidence: 'none'},
	] as const)('with $what over $transport says $evidence', ({error, transport, evidence}) => {
		expect(eraEvidence('discover', error, transport)).toBe(evidence);
	});
});
