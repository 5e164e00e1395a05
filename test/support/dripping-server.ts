import { type AddressInfo, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A mail server that answers this command a byte at a time, and never to the end. A silence would end the connection.
 * @returns its port
 */
export async function openDrippingServer(command: 'EHLO' | 'MAIL'): Promise<number> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    socket.on('data', sent => {
      if (!sent.toString().startsWith(command)) return void socket.write('250 fine\r\n')
      const drip = setInterval(() => socket.write('2'), 50)
      socket.on('close', () => clearInterval(drip))
    })
    onTestFinished(() => void socket.destroy())
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
