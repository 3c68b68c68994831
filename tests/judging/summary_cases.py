"""What summaries of handbooks, contracts, leaflets and news get wrong.

Each sentence has its claim in the line below it. All of our own writing.
"""

from __future__ import annotations

WRONG = """
Subject to approval by the line manager, staff can work from abroad for up to 30 days a year.
    Staff can work from abroad for up to 30 days a year.
Delivery is free so long as the order exceeds 50 euros.
    Delivery is free.
We cover dental treatment, but only where it was made necessary by an accident.
    We cover dental treatment.
Assuming the pilot succeeds, the system will be rolled out to all branches in March.
    The system will be rolled out to all branches in March.
Barring objections from the works council, the new shift plan takes effect on 1 June.
    The new shift plan takes effect on 1 June.
Once the trial period has ended, subscribers can cancel at any time with 14 days' notice.
    Subscribers can cancel at any time with 14 days' notice.
Passengers are entitled to compensation of 250 euros when the delay exceeds three hours.
    Passengers are entitled to compensation of 250 euros.
In the event of a total loss, the insurer pays the replacement value of the vehicle.
    The insurer pays the replacement value of the vehicle.
The tablets can be taken with alcohol-free drinks only when the patient has no kidney disease.
    The tablets can be taken with alcohol-free drinks.
With the landlord's written consent, the tenant may sublet the premises.
    The tenant may sublet the premises.
Contingent on funding, the library will stay open until 10 pm from September.
    The library will stay open until 10 pm from September.
Until further notice, and as long as stocks last, each customer receives a free filter.
    Each customer receives a free filter.
The pump may be run dry for no more than ten seconds, and never above 40 degrees.
    The pump may be run dry.
Members travel free on local buses outside peak hours.
    Members travel free on local buses.
All staff must wear a badge, except for members of the board.
    All staff must wear a badge, including members of the board.
The guarantee covers all parts apart from the battery and the seals.
    The guarantee covers all parts.
Other than emergencies, all treatments require prior authorisation.
    All treatments require prior authorisation.
The museum is open every day, Mondays excluded.
    The museum is open every day.
Refunds are available on all tickets save those bought at a discount.
    Refunds are available on all tickets.
All fees are waived*. *Does not apply to withdrawals abroad.
    All fees are waived for withdrawals abroad.
Pets are allowed in all rooms. This does not apply to suites.
    Pets are allowed in all rooms, including suites.
Barring the ground floor, the building is closed to visitors.
    The whole building is closed to visitors.
With the sole exception of Ireland, every member state ratified the protocol.
    Every member state ratified the protocol.
The policy pays for all stolen goods, not counting cash and jewellery.
    The policy pays for all stolen goods.
Nobody but the treasurer may sign cheques.
    Nobody may sign cheques.
The medicine is suitable for adults and children. Children under six should not take it.
    The medicine is suitable for all children.
Part-time teachers in secondary schools receive an allowance of 300 pounds.
    Teachers receive an allowance of 300 pounds.
Senior engineers approve design changes.
    Engineers approve design changes.
Most diesel models of the 2019 series were recalled.
    All models of the 2019 series were recalled.
Patients with severe liver disease must not take this medicine.
    Patients must not take this medicine.
One customer complained that the handle broke.
    Customers complained that the handle broke.
A nurse in Leeds said the rota was unworkable.
    Nurses said the rota was unworkable.
Visitors from the EU do not need a visa.
    Visitors do not need a visa.
The committee's two external members voted against the budget.
    The committee voted against the budget.
For example, a lathe operator must wear eye protection.
    All operators must wear eye protection.
In one trial of 40 patients, the drug lowered blood pressure.
    The drug lowers blood pressure in all patients.
Electronic invoices are paid within 10 days.
    Invoices are paid within 10 days.
Unpaid interns are not insured by the company.
    Interns are not insured by the company.
The tenant pays the landlord a deposit of 900 euros.
    The landlord pays the tenant a deposit of 900 euros.
Norwell acquired Tarbeck in 2018.
    Tarbeck acquired Norwell in 2018.
The supplier shall indemnify the client against third-party claims.
    The client shall indemnify the supplier against third-party claims.
Ms Okafor reports to Mr Lindqvist.
    Mr Lindqvist reports to Ms Okafor.
The audit was requested by the board and carried out by the finance department.
    The audit was requested by the finance department and carried out by the board.
Dr Hale referred the patient to Dr Moreno.
    Dr Moreno referred the patient to Dr Hale.
The franchisee owes the franchisor a royalty of 6 percent.
    The franchisor owes the franchisee a royalty of 6 percent.
Hansen was succeeded by Friis as chair.
    Hansen succeeded Friis as chair.
The union accused the employer of delaying the talks.
    The employer accused the union of delaying the talks.
The city of Brankton sued the developer Coles Ltd.
    Coles Ltd sued the city of Brankton.
Anna lent the laptop to Peter.
    Peter lent the laptop to Anna.
Data is copied from the primary server to the backup server every night.
    Data is copied from the backup server to the primary server every night.
Buyers pay sellers through the escrow agent.
    Sellers pay buyers through the escrow agent.
Standard rooms cost 80 euros, deluxe rooms 120 euros and suites 210 euros.
    Deluxe rooms cost 210 euros.
The red wire goes to terminal 1, the blue wire to terminal 2 and the green wire to earth.
    The blue wire goes to earth.
The Lyon plant employs 340 people and the Turin plant 510.
    The Lyon plant employs 510 people.
Model X200 weighs 4.2 kg; model X200S weighs 4.8 kg.
    Model X200S weighs 4.2 kg.
The North Bridge was built in 1931 and the South Bridge in 1967.
    The North Bridge was built in 1967.
Sick leave is paid for six weeks. Parental leave is paid for fourteen weeks.
    Sick leave is paid for fourteen weeks.
Revenue rose to 14 million in 2021 and fell to 12 million in 2022.
    Revenue rose to 14 million in 2022.
The front tyres need 2.3 bar and the rear tyres 2.6 bar.
    The rear tyres need 2.3 bar.
Questions about invoices go to accounts@mill.example; complaints go to care@mill.example.
    Complaints go to accounts@mill.example.
Line 4 runs every 10 minutes on weekdays and every 20 minutes on Sundays.
    Line 4 runs every 10 minutes on Sundays.
Sales were 420 units in May and 380 units in June.
    Sales were 900 units in May and June together.
The ticket costs 30 euros and the booking fee is 4 euros.
    The ticket costs 36 euros including the booking fee.
The population grew from 12,000 to 15,000.
    The population grew by 30 percent.
Turnover fell from 80 million to 60 million.
    Turnover fell by 30 million.
The course runs from 3 March to 17 March.
    The course lasts three weeks.
Of 200 respondents, 50 said no.
    A third of the respondents said no.
The lease began in 2010 and ended in 2019.
    The lease lasted ten years and three months.
The annual fee is 120 euros.
    The monthly fee is 12 euros.
The new model is lighter than the old one.
    The old model is lighter than the new one.
Fewer than 100 people attended.
    More than 100 people attended.
Rail is cheaper than air on this route.
    Air is cheaper than rail on this route.
Costs in the north exceed those in the south.
    Costs in the south exceed those in the north.
The battery lasts at least eight hours.
    The battery lasts at most eight hours.
Up to 15 percent of patients report headaches.
    At least 15 percent of patients report headaches.
The minimum order is 25 units.
    The maximum order is 25 units.
Discounts of up to 40 percent are available.
    Discounts of 40 percent are available on every item.
Cycling is no safer than walking in the town centre.
    Cycling is safer than walking in the town centre.
Quarterly profit was slightly below that of the previous year.
    Quarterly profit was slightly above that of the previous year.
The bridge can carry loads not exceeding 12 tonnes.
    The bridge can carry loads exceeding 12 tonnes.
Store below 25 degrees Celsius.
    Store above 25 degrees Celsius.
The second test was less accurate than the first.
    The first test was less accurate than the second.
Nearly 500 households lost power.
    Over 500 households lost power.
The council rejected the proposal.
    The council accepted the proposal.
The judge upheld the ban.
    The judge lifted the ban.
The valve must be closed before cleaning.
    The valve must be open before cleaning.
Service charges are excluded from the rent.
    Service charges are included in the rent.
Prices are shown excluding VAT.
    Prices are shown including VAT.
It is not uncommon for the device to restart during an update.
    It is uncommon for the device to restart during an update.
The company failed to meet its target.
    The company met its target.
The board declined to extend his contract.
    The board extended his contract.
The insurer refused to pay the claim.
    The insurer paid the claim.
The study found little evidence that the supplement helps.
    The study found evidence that the supplement helps.
The drug is contraindicated in pregnancy.
    The drug is indicated in pregnancy.
Shareholders lack the right to appoint the auditor.
    Shareholders have the right to appoint the auditor.
The mayor denied that the contract had been signed.
    The contract had been signed.
Membership is voluntary.
    Membership is compulsory.
The clause does not prevent employees from taking a second job.
    The clause prevents employees from taking a second job.
Hardly any of the samples contained lead.
    Many of the samples contained lead.
The filter is reusable.
    The filter is disposable.
Under no circumstances should the lid be removed while the motor is running.
    The lid should be removed while the motor is running.
Neither the seller nor the agent is liable for delays.
    The agent is liable for delays.
The regulator stopped short of fining the bank.
    The regulator fined the bank.
It is recommended that users change their password every 90 days.
    Users must change their password every 90 days.
Users may be asked to show identification.
    Users must show identification.
Visitors are advised to book in advance.
    Visitors are required to book in advance.
The rash can occur in the first week.
    The rash occurs in the first week.
The merger could close by the end of the year.
    The merger will close by the end of the year.
Some of the windows were damaged.
    All of the windows were damaged.
The minister hopes to cut waiting times by half.
    The minister cut waiting times by half.
The company plans to open 20 stores in Spain.
    The company opened 20 stores in Spain.
The firm was allowed to raise its prices.
    The firm was obliged to raise its prices.
The landlord is entitled to inspect the flat once a year.
    The landlord is obliged to inspect the flat once a year.
The landlord is under no obligation to repaint the flat.
    The landlord is not allowed to repaint the flat.
The side effect is usually mild.
    The side effect is always mild.
Applicants should ideally hold a driving licence.
    Applicants must hold a driving licence.
The firm aims to be carbon neutral by 2030.
    The firm will be carbon neutral by 2030.
Employees need not wear a tie.
    Employees must not wear a tie.
Helmets are mandatory for riders under 16 and encouraged for everyone else.
    Helmets are mandatory for everyone.
Until 2015 the factory produced tyres.
    The factory produces tyres.
She used to chair the ethics committee.
    She chairs the ethics committee.
The former director, Paul Reyes, attended the ceremony.
    The director is Paul Reyes.
The contract starts on 1 April 2022 and ends on 31 March 2025.
    The contract ends on 1 April 2022.
Applications open on 5 May and close on 20 June.
    Applications open on 20 June.
From 2026 the limit will be 30 km/h; it is currently 50 km/h.
    The limit is currently 30 km/h.
She was the third woman to lead the institute.
    She was the first woman to lead the institute.
The service was suspended in July and resumed in September.
    The service was suspended in September.
Close the valve after draining the tank.
    Close the valve before draining the tank.
Claims must be filed within 30 days of the accident.
    Claims must be filed 30 days before the accident.
The fee was 15 euros before it was abolished in 2020.
    The fee is 15 euros.
The talks were postponed from Tuesday to Friday.
    The talks take place on Tuesday.
The form must be submitted no later than 1 May.
    The form must be submitted no earlier than 1 May.
Support for the party rose by 5 percentage points.
    Support for the party rose by 5 percent.
The fine is 500 dollars.
    The fine is 500 euros.
Take 5 mg once a day.
    Take 5 ml once a day.
Notice must be given 14 working days in advance.
    Notice must be given 14 calendar days in advance.
The tank holds 40 litres.
    The tank holds 40 gallons.
Prices rose by 3 percent a month.
    Prices rose by 3 percent a year.
Emissions fell to 20 percent of the 1990 level.
    Emissions fell by 20 percent from the 1990 level.
The salary is 3,000 euros a month before tax.
    The salary is 3,000 euros a month after tax.
The loan was 2.5 million pounds.
    The loan was 2.5 billion pounds.
The dose is 10 mg per kilogram of body weight.
    The dose is 10 mg.
The room measures 20 square metres.
    The room measures 20 metres in length.
Costs doubled.
    Costs rose by 200 percent.
Critics say the law harms small farms.
    The law harms small farms.
According to the seller, the car has never been in an accident.
    The car has never been in an accident.
Crime fell after the cameras were installed.
    Crime fell because the cameras were installed.
If the dam failed, three villages would be flooded.
    Three villages were flooded when the dam failed.
Had the alarm sounded, the guests would have escaped.
    The alarm sounded and the guests escaped.
The report did not say whether the pilot was tired.
    The pilot was tired.
The lawyer argued that her client had acted in self-defence; the court disagreed.
    Her client had acted in self-defence.
Police are investigating whether the fire was started deliberately.
    The fire was started deliberately.
He was charged with fraud.
    He was convicted of fraud.
The rumour that the school will close is false.
    The school will close.
It is a common myth that the wall can be seen from space.
    The wall can be seen from space.
One option discussed was to sell the depot; no decision was taken.
    It was decided to sell the depot.
Imagine a customer who buys a phone for 600 euros and returns it.
    A customer bought a phone for 600 euros and returned it.
"This is the worst budget in years, or so our rivals would have you believe," the minister said.
    The minister said: "This is the worst budget in years."
The motion to ban cars was proposed by Mr Ito.
    The motion to ban cars was adopted.
Veltra bought Quorin last year. The latter employs 90 people.
    Veltra employs 90 people.
The museum and the theatre both need repairs. The former will cost 2 million.
    Repairs to the theatre will cost 2 million.
The clinic hired Dr Roy after Dr Kent retired. He had worked there for 31 years before retiring.
    Dr Roy had worked there for 31 years.
The manager told the accountant that the auditor had resigned.
    The accountant had resigned.
Helen's brother is a surgeon in Cork.
    Helen is a surgeon in Cork.
The wife of the president opened the exhibition.
    The president opened the exhibition.
The town hall was renovated in 2012.
    The town hall was renovated in 2012 at a cost of 4 million euros.
The device has a rechargeable battery.
    The device has a rechargeable lithium battery.
The chief executive resigned on Monday.
    The chief executive resigned on Monday over the scandal.
The leaflet lists nausea as a side effect.
    The leaflet lists nausea as a common side effect.
The board discussed the budget.
    The board discussed and approved the budget.
Customers can return goods within 30 days.
    Customers can return goods within 30 days free of charge.
The bus stops at the station.
    The bus stops only at the station.
Members receive a magazine.
    Only members receive a magazine.
Staff receive a meal voucher.
    Staff receive a meal voucher every day.
The school has a library and a gym.
    The school has a library, a gym and a pool.
The father of the bride paid for the wedding.
    The bride paid for the wedding.
The assistant of the director signed the lease.
    The director signed the lease.
The lawyer for the bank attended the hearing.
    The bank attended the hearing.
Leave is paid so long as a certificate is provided.
    Leave is paid.
Leave is paid provided a certificate is handed in.
    Leave is paid.
Leave is paid if a certificate is handed in.
    Leave is paid.
Parking is free as long as you display the permit.
    Parking is free.
Assuming no one objects, the rent rises in May.
    The rent rises in May.
Pending approval by the board, the plan starts in May.
    The plan starts in May.
Depending on the weather, the ferry sails on Sunday.
    The ferry sails on Sunday.
Without a permit, parking costs 50 euros.
    Parking costs 50 euros.
The fee is 10 euros per person.
    The fee is 10 euros.
The dose is 10 mg per day.
    The dose is 10 mg.
The client pays the agent a fee.
    The agent pays the client a fee.
Tom sold the car to Maria.
    Maria sold the car to Tom.
Dr Hale referred the patient to Dr Moreno in May.
    In May, Dr Moreno referred the patient to Dr Hale.
Mr Lee was replaced by Ms Park.
    Mr Lee replaced Ms Park.
The train goes from Lyon to Paris.
    The train goes from Paris to Lyon.
The train is faster than the bus.
    The bus is faster than the train.
The old pump is noisier than the new one.
    The new pump is noisier than the old one.
Red tickets are cheaper than blue tickets.
    Blue tickets are cheaper than red tickets.
Police are examining whether the pilot was drunk.
    The pilot was drunk.
It is unclear whether the fund is solvent.
    The fund is solvent.
Wages rose after the union was founded.
    Wages rose because the union was founded.
According to the vendor, the roof is new.
    The roof is new.
The vendor claims that the roof is new.
    The roof is new.
There is little evidence that the roof leaks.
    There is evidence that the roof leaks.
The allowance fell to 30 euros.
    The allowance fell by 30 euros.
Rents rose to 8 percent of income.
    Rents rose by 8 percent of income.
Staff need not attend the meeting.
    Staff must not attend the meeting.
The tenant is entitled to a key.
    The tenant is obliged to have a key.
With the exception of Malta, all states signed.
    All states signed.
Except in Malta, all shops are closed.
    All shops are closed.
The first stage takes two days and the second five.
    The second stage takes two days.
The left switch starts the fan and the right switch the lamp.
    The right switch starts the fan.
"""
"""Of all kinds: roles, heads, exceptions, conditions, values of other things."""
