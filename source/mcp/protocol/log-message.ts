import {isJsonObject} from '../../util/json-text.ts';

/**
True for a log notification (2025-06-18, Logging). Nothing listens to them, and a server may send thousands a second: they are left out before
anything is checked or copied.
*/
export function isLogMessage(value: unknown): boolean {
	return (
		isJsonObject(value) &&
		value['method'] === 'notifications/message' &&
		value['jsonrpc'] === '2.0' &&
		!Object.hasOwn(value, 'id')
	);
}
