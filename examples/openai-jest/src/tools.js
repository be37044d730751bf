const orders = [
  { orderId: 'A-77', status: 'late', total: '20 €', daysLate: 5 },
  { orderId: 'B-12', status: 'delivered', total: '35 €' },
]

/** Stands for the shop's database. */
exports.lookupOrder = async ({ orderId }) => {
  const order = orders.find((known) => known.orderId === orderId)
  if (!order) throw new Error(`There is no order ${orderId}`)
  return order
}

/** Stands for the payment provider: a call that no test should make for real. */
exports.refund = async ({ orderId, amount }) => ({
  orderId,
  amount,
  refundId: `R-${Math.floor(Math.random() * 1_000_000)}`,
})

const text = (description) => ({ type: 'string', description })

const define = (name, description, properties) => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  },
})

exports.toolDefinitions = [
  define('lookupOrder', 'Looks an order up by its number.', { orderId: text('Like A-77') }),
  define('refund', 'Pays money back for an order.', {
    orderId: text('Like A-77'),
    amount: text('With the currency, like 20 €'),
  }),
]
