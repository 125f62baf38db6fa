import {describe, expect, test} from 'vitest';
import {isSessionExpiry, saysSessionIsGone} from '../../../source/mcp/calls/call-failure.ts';

describe('a session has expired', () => {
	const sessionId = 'abc';
	test.each([
		[{sessionId, httpStatus: 404}, true],
		[{sessionId: undefined, httpStatus: 404}, false],
		[{sessionId, httpStatus: 400}, false],
		[{sessionId, httpStatus: 400, rpcCode: -32_001, message: 'Session not found'}, true],
		[{sessionId, httpStatus: 400, rpcCode: -32_000, message: 'Bad Request: No valid session ID provided'}, true],
		[{sessionId, httpStatus: 400, rpcCode: -32_000, message: 'Bad Request'}, true],
		[{sessionId, httpStatus: 400, rpcCode: -32_602, message: 'Invalid session ID'}, false],
		[{sessionId, httpStatus: 401, message: 'Session expired'}, false],
		[{sessionId, rpcCode: -32_000, message: 'Connection closed'}, false],
		[{sessionId, rpcCode: -32_001, message: 'session expired'}, true],
		[{sessionId: undefined, rpcCode: -32_001, message: 'session expired'}, false],
		[{sessionId, rpcCode: -32_001, message: 'Request timed out'}, false],
		[{sessionId, rpcCode: -32_602, message: 'the browser session is unknown'}, false],
		[{sessionId, httpStatus: 500, rpcCode: -32_001, message: 'Session not found'}, false],
	])('%j: %s', (answer, expired) => {
		expect(isSessionExpiry(answer)).toBe(expired);
	});
});

describe('a message says that the session is gone', () => {
	test.each([
		'Session expired',
		'Session terminated',
		'Session not found',
		'Session not found: abc',
		'Session 0f8a-1b not found',
		'Session "abc" is unknown',
		'Session does not exist',
		'Session ID expired',
		'session_id not found',
		'Session is no longer valid',
		'Not Found: Session has been terminated',
		'Your session has expired.',
		'MCP error -32000: Session closed',
		'Invalid session',
		'Invalid session ID "abc"',
		'Invalid or expired session',
		'Invalid or missing session ID',
		'Invalid Mcp-Session-Id header',
		'Mcp-Session-Id is invalid',
		'Bad Request: No valid session ID provided',
		'Unknown or expired MCP session; please initialize',
		'No such session',
		'{"error":"Session expired"}',
	])('%s', message => {
		expect(saysSessionIsGone({message})).toBe(true);
	});

	test.each([
		'',
		'Request timed out',
		'The browser session is unknown',
		'database session terminated',
		'No browser session found',
		'Your login session has expired',
		'Invalid session token for GitHub',
		'Invalid session name',
		'Session name is invalid',
		'Session file not found',
		'The sessions table was not found',
		'Session started, file not found',
		'Session limit reached',
		'Could not start a session',
		'Unknown tool: session',
	])('and not: %s', message => {
		expect(saysSessionIsGone({message})).toBe(false);
	});
});
