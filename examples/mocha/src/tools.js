const orders = {
  'A-77': { orderId: 'A-77', status: 'late', total: '20 €', daysLate: 5 },
  'B-12': { orderId: 'B-12', status: 'delivered', total: '35 €' },
}

/** Stands for the shop's database. */
export const lookupOrder = async ({ orderId }) => orders[orderId]

/** Stands for the payment provider: a call that no test should make for real. */
export const refund = async ({ orderId, amount }) => ({ orderId, amount, refundId: `R-${Math.random()}` })
